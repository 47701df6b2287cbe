import { restorePedido } from '../../../contract/pedidos.ts';
import { useMutate } from '../../api.ts';

export const useRestore = () => useMutate(restorePedido, { failure: 'No se pudo restaurar el pedido' });

import { restorePedido } from '../../../contract/pedidos/pedidos.ts';
import { useMutate } from '../../api.ts';

export const useRestore = () => useMutate(restorePedido, { failure: 'No se pudo restaurar el pedido' });

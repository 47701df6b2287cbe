import { restorePedido } from '../../contract/pedidos.ts';
import { useMutate } from '../api.ts';

/** Brings a deleted order back. */
export const useRestore = () => useMutate(restorePedido, { failure: 'No se pudo restaurar el pedido' });

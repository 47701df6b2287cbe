import { getPedido, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { useApi } from '../api.ts';
import { IvaFact } from './iva-fact.tsx';

/** VAT of an order known only as a row of a list: reads the whole order. */
export default function IvaOf({ id }: { id: string }) {
  const { data } = useApi(getPedido, { params: { id } });
  return data && 'iva' in data.data ? <IvaFact pedido={data.data as Pedido} /> : null;
}

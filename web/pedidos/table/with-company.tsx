import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { fecha } from '../../ui/format/format.ts';

type Held = Pick<Pedido, 'en_empresa' | 'en_empresa_at'>;

/** Returns «Con Correos desde 26/11»; undefined for an order that is in no company's shipment. */
export const companyWords = ({ en_empresa, en_empresa_at }: Held): string | undefined =>
  en_empresa && en_empresa_at ? `Con ${en_empresa} desde ${fecha(en_empresa_at).slice(0, 5)}` : undefined;

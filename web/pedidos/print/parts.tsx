import type { PedidoTransportista } from '../../../contract/pedidos/pedidos.ts';
import type { ShownSettings } from '../../../contract/settings/settings.ts';
import { plainNif } from '../../../contract/text/nif.ts';
import { money } from '../../ui/format/format.ts';
import classes from './sheet.module.css';
import { toCollect } from './sheets.ts';

export type Company = Pick<ShownSettings, 'companyName' | 'companyEmail' | 'companyPhone' | 'companyNif' | 'companyAddress' | 'logo'>;

export const Sender = ({ company }: { company: Company }) => {
  const { companyName, companyNif, companyAddress, companyPhone, companyEmail, logo } = company;
  return (
    <div className={classes.sender}>
      {logo && <img className={classes.logo} src={logo} alt="" />}
      <div>
        <p className={classes.name}>{companyName}</p>
        {companyNif && <p>NIF {plainNif(companyNif)}</p>}
        {companyAddress && <p>{companyAddress}</p>}
        <p>{[companyPhone, companyEmail].filter(Boolean).join(' · ')}</p>
      </div>
    </div>
  );
};

/** Amount that the carrier collects at the door; renders nothing if nothing is due. */
export function Collect({ of }: { of: Pick<PedidoTransportista, 'por_cobrar' | 'contra_reembolso'> }) {
  const due = toCollect(of);
  if (due === 0) return null;
  return <p className={classes.collect}>Cobrar {money(due)}</p>;
}

import type { ShownSettings } from '../../../contract/settings/settings.ts';
import { plainNif } from '../../../contract/text/nif.ts';
import classes from './sheet.module.css';

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

import type { Settings } from '../../../contract/settings/values.ts';
import { Logo } from '../../ui/page/logo.tsx';
import classes from './sheet.module.css';

export type Company = Pick<Settings, 'companyName' | 'companyEmail'>;

/** Sender of a printed sheet: the business. */
export const Sender = ({ company: { companyName, companyEmail } }: { company: Company }) => (
  <div className={classes.sender}>
    <Logo size={32} />
    <div>
      <p className={classes.name}>{companyName}</p>
      <p>{companyEmail}</p>
    </div>
  </div>
);

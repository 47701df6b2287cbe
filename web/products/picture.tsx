import { IconPhoto } from '@tabler/icons-react';
import classes from './picture.module.css';

/** The picture of a product, `size` pixels a side, beside its name; without one a mark that keeps its room. */
export const Picture = ({ of, size }: { of: string | null; size: number }) =>
  of === null ? (
    <span className={`${classes.picture} ${classes.none}`} style={{ width: size, height: size }}>
      <IconPhoto size={size / 2} stroke={1.5} aria-hidden />
    </span>
  ) : (
    <img className={classes.picture} src={of} alt="" width={size} height={size} loading="lazy" />
  );

import { IconPhoto } from '@tabler/icons-react';
import classes from './picture.module.css';

/** Picture of a product, `size` pixels square; without one, a placeholder of the same size. */
export const Picture = ({ of, size }: { of: string | null; size: number }) =>
  of === null ? (
    <span className={`${classes.picture} ${classes.none}`} style={{ width: size, height: size }}>
      <IconPhoto size={size / 2} stroke={1.5} aria-hidden />
    </span>
  ) : (
    <img className={classes.picture} src={of} alt="" width={size} height={size} loading="lazy" />
  );

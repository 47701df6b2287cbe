import classes from './picture.module.css';

type Props = { of: string | null | undefined; name: string; size: number };

/** Picture of a product, `size` pixels square; without one, the quiet initial of its name. The name itself stands beside it. */
export const Picture = ({ of, name, size }: Props) =>
  of ? (
    <img className={classes.picture} src={of} alt="" width={size} height={size} loading="lazy" />
  ) : (
    <span className={`${classes.picture} ${classes.none}`} style={{ width: size, height: size }} aria-hidden>
      {name.trim().charAt(0).toUpperCase()}
    </span>
  );

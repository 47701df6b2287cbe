import type { ReactNode } from 'react';
import classes from './referencia.module.css';

/** A text of the description, with what stands between backticks as code. */
export const withCode = (text: string): ReactNode =>
  text.split(/`([^`]+)`/).map((part, n) =>
    n % 2 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never move
      <code key={n} className={classes.code}>
        {part}
      </code>
    ) : (
      part
    ),
  );

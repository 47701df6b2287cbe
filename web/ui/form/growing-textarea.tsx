import { Textarea, type TextareaProps } from '@mantine/core';
import classes from './growing-textarea.module.css';

type Props = Omit<TextareaProps, 'autosize'> & { minRows?: number };

const heightOf = (rows: number) => `calc(${rows}lh + 2 * var(--input-padding-y) + 2px)`;

/** Grows with its text by `field-sizing`, else by Mantine's measuring, which lays out the page several times. */
export const GrowingTextarea = CSS.supports('field-sizing', 'content')
  ? ({ minRows = 1, maxRows, ...props }: Props) => (
      <Textarea
        {...props}
        classNames={{ input: classes.growing ?? '' }}
        styles={{ input: { ...(minRows > 1 && { minHeight: heightOf(minRows) }), ...(maxRows && { maxHeight: heightOf(maxRows) }) } }}
      />
    )
  : (props: Props) => <Textarea {...props} autosize />;

import { Textarea, type TextareaProps } from '@mantine/core';
import classes from './growing-textarea.module.css';

type Props = Omit<TextareaProps, 'autosize'> & { minRows?: number };

const heightOf = (rows: number) => `calc(${rows}lh + 2 * var(--input-padding-y) + 2px)`;

/**
 * A text area that grows with its text, by `field-sizing` where the browser supports it. Other browsers use Mantine's measuring, which
 * lays out the whole page several times for each text area.
 */
export const GrowingTextarea = CSS.supports('field-sizing', 'content')
  ? ({ minRows = 1, maxRows, ...props }: Props) => (
      <Textarea
        {...props}
        classNames={{ input: classes.growing ?? '' }}
        styles={{ input: { ...(minRows > 1 && { minHeight: heightOf(minRows) }), ...(maxRows && { maxHeight: heightOf(maxRows) }) } }}
      />
    )
  : (props: Props) => <Textarea {...props} autosize />;

import JsBarcode from 'jsbarcode';
import classes from './sheet.module.css';

/** The modules of a Code 128, `1` for a bar; undefined for a text with letters that it has not, such as «ñ». */
export function code128(text: string): string | undefined {
  if (!/^[ -~]+$/.test(text)) return undefined;
  const drawn: { encodings?: { data: string }[] } = {};
  JsBarcode(drawn, text, { format: 'CODE128' });
  return drawn.encodings?.map(({ data }) => data).join('');
}

/** Millimetres of the narrowest bar: what a hand-held reader reads from an office printer. */
const MODULE = 0.33;

/** A number as a bar code; nothing where it cannot be one. */
export function Barcode({ text }: { text: string }) {
  const modules = code128(text);
  if (!modules) return null;
  const bars = [...modules.matchAll(/1+/g)].map(({ 0: bar, index }) => `M${index} 0h${bar.length}v1h-${bar.length}z`);
  return (
    <svg
      className={classes.barcode}
      role="img"
      aria-label={`Código de barras ${text}`}
      width={`${modules.length * MODULE}mm`}
      viewBox={`0 0 ${modules.length} 1`}
      preserveAspectRatio="none"
      shapeRendering="crispEdges"
    >
      <path d={bars.join('')} />
    </svg>
  );
}

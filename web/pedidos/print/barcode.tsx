import JsBarcode from 'jsbarcode';
import classes from './sheet.module.css';

/** Modules of a Code 128, `1` for a bar and `0` for a gap; undefined for characters outside ASCII, such as «ñ». */
export function code128(text: string): string | undefined {
  if (!/^[ -~]+$/.test(text)) return undefined;
  const drawn: { encodings?: { data: string }[] } = {};
  JsBarcode(drawn, text, { format: 'CODE128' });
  return drawn.encodings?.map(({ data }) => data).join('');
}

/** Width in millimetres of the narrowest bar that hand-held scanners read from an office printout. */
const MODULE = 0.33;

/** Bar code of a text; renders nothing if it cannot be encoded. */
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

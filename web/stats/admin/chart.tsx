import { number } from '../../ui/format/format.ts';
import classes from './chart.module.css';
import { type Bucket, bucketDays, roundTop } from './serie.ts';

const CURRENCY = { style: 'currency', currency: 'EUR', useGrouping: 'always' } as const;
const euros = new Intl.NumberFormat('es-ES', { ...CURRENCY, maximumFractionDigits: 0 });
const millions = new Intl.NumberFormat('es-ES', { ...CURRENCY, notation: 'compact', maximumFractionDigits: 1 });
/** Formats an amount short enough for the axis. */
const compact = (value: number) => (value < 1_000_000 ? euros : millions).format(value);

const PLOTS = [
  { title: 'Pedidos', field: 'pedidos', format: number },
  { title: 'Ingresos', field: 'ingresos', format: compact },
] as const;

type Props = { by: string; buckets: readonly Bucket[]; before: readonly Bucket[]; days: number };

/** Orders and income, a plot each: narrow bars of the chosen dates before wide grey ones of as many days before. */
export function Chart({ by, buckets, before, days }: Props) {
  const period = days === 1 ? 'el día anterior' : `los ${number(days)} días anteriores`;
  return (
    <div
      role="img"
      aria-label={`Gráfico de pedidos e ingresos por ${by}, con ${period}; los mismos datos están en la tabla de abajo`}
      className={classes.plots}
    >
      {PLOTS.map((plot) => (
        <Plot key={plot.field} {...plot} buckets={buckets} before={before} />
      ))}
      <div className={classes.axis}>
        {[buckets[0], buckets.length > 2 && buckets[Math.floor(buckets.length / 2)], buckets.length > 1 && buckets.at(-1)].map(
          (bucket) => bucket && <span key={bucket.from}>{bucket.label}</span>,
        )}
      </div>
      <div className={classes.legend}>
        <span data-now /> Estas fechas <span data-before /> {period[0]?.toUpperCase() + period.slice(1)}
      </div>
    </div>
  );
}

type PlotProps = (typeof PLOTS)[number] & Pick<Props, 'buckets' | 'before'>;

function Plot({ title, field, format, buckets, before }: PlotProps) {
  const top = roundTop(Math.max(...[...buckets, ...before].map((bucket) => bucket[field])));
  const bar = (bucket: Bucket | undefined, x: number, width: number) => {
    const height = ((bucket?.[field] ?? 0) / top) * 100;
    return { x, y: 100 - height, width, height };
  };
  return (
    <div className={classes.plot}>
      <span className={classes.title}>{title}</span>
      <span className={classes.scale}>
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{Number.isInteger(value) && format(value)}</span>
        ))}
      </span>
      <svg viewBox={`0 0 ${buckets.length} 100`} preserveAspectRatio="none" aria-hidden>
        {buckets.map((bucket, i) => (
          <g key={bucket.from}>
            <title>{`${bucketDays(bucket)}\n${title}: ${format(bucket[field])}\nAntes: ${format(before[i]?.[field] ?? 0)}`}</title>
            <rect className={classes.place} x={i} width={1} height={100} />
            <rect className={classes.before} {...bar(before[i], i + 0.05, 0.9)} />
            <rect className={classes.now} {...bar(bucket, i + 0.25, 0.5)} />
          </g>
        ))}
      </svg>
    </div>
  );
}

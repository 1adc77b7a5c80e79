import { useLanguage } from '../../texts/use-texts.ts';
import type { ChartData, ChartPoint } from './chart-points.ts';
import styles from './result-chart.module.css';

interface ResultChartProps {
  readonly chart: ChartData;
  /** Name of the numbers. */
  readonly label: string;
}

/** A result as bars or as a line. The table below it has the same values. */
export function ResultChart({ chart: { kind, points }, label }: ResultChartProps) {
  return kind === 'bar' ? <Bars points={points} label={label} /> : <Line points={points} label={label} />;
}

interface PointsProps {
  readonly points: readonly ChartPoint[];
  readonly label: string;
}

function Bars({ points, label }: PointsProps) {
  const { language } = useLanguage();
  const largest = Math.max(...points.map(({ value }) => Math.abs(value)), 0);
  return (
    <ul className={styles.bars} aria-label={label}>
      {points.map(({ label: name, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several rows can have the same label.
        <li key={index} className={styles.bar}>
          <span className={styles.name} title={name}>
            {name}
          </span>
          <span className={styles.track} aria-hidden="true">
            <span
              className={value < 0 ? `${styles.fill} ${styles.negative}` : styles.fill}
              style={{ width: `${largest === 0 ? 0 : (Math.abs(value) / largest) * 100}%` }}
            />
          </span>
          <span className={styles.value}>{value.toLocaleString(language)}</span>
        </li>
      ))}
    </ul>
  );
}

const WIDTH = 1000;
const HEIGHT = 240;

function Line({ points, label }: PointsProps) {
  const { language } = useLanguage();
  const values = points.map(({ value }) => value);
  const [lowest, highest] = [Math.min(0, ...values), Math.max(...values)];
  const place = ({ value }: ChartPoint, index: number) => {
    const x = (index / (points.length - 1)) * WIDTH;
    const y = HEIGHT - ((value - lowest) / (highest - lowest || 1)) * HEIGHT;
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  return (
    <figure className={styles.line}>
      <span className={styles.highest}>{highest.toLocaleString(language)}</span>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
        <polyline points={points.map(place).join(' ')} className={styles.stroke} vectorEffect="non-scaling-stroke" />
      </svg>
      <figcaption className={styles.ends}>
        <span>{points[0]?.label}</span>
        <span>{points.at(-1)?.label}</span>
      </figcaption>
    </figure>
  );
}

import { type ReactNode, useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

const HEIGHT = 220;

/** The lines of a chart, beginning with the first: each has a dash of its own, so that colours are not needed to tell them apart. */
const DASHES = [[], [6, 4], [2, 3], [12, 3, 2, 3], [1, 5]] as const;

/** One line over time. */
export interface TimeSeries {
  readonly label: string;
  /** One a time. */
  readonly values: readonly number[];
}

interface TimeChartProps {
  /** What the chart shows, for those who do not see it; the numbers stand in a table beside it. */
  readonly label: string;
  /** Milliseconds since 1970, in order. */
  readonly times: readonly number[];
  /** At most five, which can be told apart. */
  readonly series: readonly TimeSeries[];
  readonly format: (value: number) => string;
}

/** Lines over time, in the time zone of the browser and the colours of the page. */
export function TimeChart({ label, times, series, format }: TimeChartProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const scheme = useColorScheme();
  useEffect(() => {
    const element = frame.current!;
    const { color, borderTopColor: line } = getComputedStyle(element);
    const text = getComputedStyle(document.body).color;
    const colors = [color, text];
    const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        series: [
          { label: 'Time' },
          ...series.map((one, index) => ({
            label: one.label,
            stroke: colors[index % colors.length]!,
            dash: [...DASHES[index % DASHES.length]!],
            width: 2,
            value: (_: uPlot, value: number | null) => (value === null ? '' : format(value)),
          })),
        ],
        scales: { y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] } },
        axes: [axis, { ...axis, size: 70, values: (_, splits) => splits.map(format) }],
        cursor: { drag: { x: false, y: false } },
      },
      [times.map((time) => time / 1_000), ...series.map(({ values }) => [...values])],
      element,
    );
    const resized = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      chart.destroy();
    };
  }, [times, series, format, scheme]);
  return <div ref={frame} className="chart" role="img" aria-label={label} />;
}

/** Whether the browser shows pages dark: a chart is painted, and has to be painted anew when that changes. */
function useColorScheme(): boolean {
  const [isDark, setDark] = useState(() => matchMedia(DARK).matches);
  useEffect(() => {
    const query = matchMedia(DARK);
    const changed = (): void => setDark(query.matches);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, []);
  return isDark;
}

const DARK = '(prefers-color-scheme: dark)';

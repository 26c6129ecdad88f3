type Props = { points: readonly (number | null)[]; label: string }

const width = 200
const height = 32
const ground = height - 1
const least = 3

/** A bar for each moment, on a line behind all of them, so that few bars look as complete as many. */
export function Sparkline({ points, label }: Props) {
  const highest = Math.max(...points.map((point) => point ?? 0), 1)
  const step = width / Math.max(points.length, 1)
  const sizeOf = (point: number) => Math.max((point / highest) * (ground - 2), least)
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="mt-2 block h-8 w-full"
    >
      <rect x="0" y={ground} width={width} height="1" className="fill-line" />
      {points.map((point, at) =>
        point === null ? null : (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- a moment is its place
            key={at}
            x={at * step + 1}
            y={ground - sizeOf(point)}
            width={step - 2}
            height={sizeOf(point)}
            rx="1"
            className="fill-primary"
          />
        ),
      )}
    </svg>
  )
}

type Props = { points: readonly (number | null)[]; label: string }

const width = 200
const height = 32

/** A small line without axes; gaps where there is nothing to tell. Drawn by hand: charts come later. */
export function Sparkline({ points, label }: Props) {
  const highest = Math.max(...points.map((point) => point ?? 0), 1)
  const step = width / (points.length - 1)
  const at = (point: number, index: number): [number, number] => [
    index * step,
    height - 3 - (point / highest) * (height - 6),
  ]
  const runs: [number, number][][] = [[]]
  for (const [index, point] of points.entries()) {
    if (point === null) runs.push([])
    else runs.at(-1)?.push(at(point, index))
  }
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="mt-2 block h-8 w-full overflow-visible"
    >
      {runs.map(([first, ...rest]) => {
        if (!first) return null
        if (rest.length === 0) {
          return (
            <circle key={first[0]} cx={first[0]} cy={first[1]} r="2" className="fill-primary" />
          )
        }
        const line = [first, ...rest].map(([x, y]) => `${x},${y}`).join(' ')
        return (
          <polyline
            key={first[0]}
            points={line}
            className="fill-none stroke-primary"
            strokeWidth="1.5"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        )
      })}
    </svg>
  )
}

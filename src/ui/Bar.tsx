import { clsx } from 'clsx'

const fills = {
  accent: 'fill-accent',
  primary: 'fill-primary',
  secondary: 'fill-secondary',
  prevention: 'fill-prevention',
  treatment: 'fill-treatment',
  solidarity: 'fill-solidarity',
}
export type Fill = keyof typeof fills

/** The colour for a share: accent over 80 percent, primary over 60, otherwise secondary. */
const utilizationFill = (percent: number): Fill =>
  percent > 80 ? 'accent' : percent > 60 ? 'primary' : 'secondary'

type Props = { percent: number; label: string; fill?: Fill; className?: string }

/** A share that is reached. The figure itself stands beside it: a bar alone says too little. */
export function Bar({ percent, label, fill, className }: Props) {
  return (
    <Track
      kind="meter"
      percent={percent}
      label={label}
      fill={fill ?? utilizationFill(percent)}
      className={className}
    />
  )
}

type ProgressProps = { percent?: number; label: string; className?: string }

/** Work under way: without a percent it only says that it goes on. */
export const Progress = (props: ProgressProps) => (
  <Track kind="progressbar" percent={props.percent} fill="primary" {...props} />
)

type TrackProps = {
  kind: 'meter' | 'progressbar'
  percent: number | undefined
  label: string
  fill: Fill
  className?: string | undefined
}

// SVG attributes, not inline styles: they need no leave from the content policy.
function Track({ kind, percent, label, fill, className }: TrackProps) {
  const shown = Math.min(100, Math.max(0, percent ?? 40))
  return (
    <svg
      role={kind}
      aria-label={label}
      {...(percent === undefined
        ? {}
        : { 'aria-valuenow': Math.round(percent), 'aria-valuemin': 0, 'aria-valuemax': 100 })}
      className={clsx('block h-2 w-full overflow-hidden rounded-full bg-sunken', className)}
      preserveAspectRatio="none"
    >
      <rect
        width={`${shown}%`}
        height="100%"
        rx="4"
        className={clsx(fills[fill], percent === undefined && 'animate-shimmer')}
      />
    </svg>
  )
}

import { Avatar } from '#ui/Avatar.tsx'
import { Status } from '#ui/Badge.tsx'
import { Bar, type Fill } from '#ui/Bar.tsx'

/** A picture of the product beside the form: hidden from screen readers, with made-up figures. */
export function FundPicture() {
  return (
    <div className="w-full max-w-md">
      <div className="rounded-2xl bg-surface p-6 pb-9 shadow-raised">
        <p className="text-ui text-soft">Available this year</p>
        <p className="figures mt-1 text-4xl font-semibold tracking-tight">€742.50</p>
        <div className="mt-6 flex flex-col gap-5">
          <Share name="Prevention" left="€155.00" percent={77.5} fill="prevention" />
          <Share name="Treatment" left="€487.50" percent={69.6} fill="treatment" />
          <Share name="Solidarity" left="€100.00" percent={100} fill="solidarity" />
        </div>
      </div>
      <div className="-mt-3 -mr-6 ml-16 flex items-center gap-3 rounded-card bg-raised px-4 py-3 shadow-raised">
        <Avatar initials="PH" />
        <div className="min-w-0 flex-1">
          <p className="text-sm font-medium">Annual health check</p>
          <p className="text-ui text-soft">€45.00 · Prevention</p>
        </div>
        <Status tone="good">Approved</Status>
      </div>
      <p className="mt-10 text-2xl leading-snug text-on-deep font-semibold tracking-tight text-balance">
        Health money your people can see, use and trust.
      </p>
      <p className="mt-2 text-on-deep-soft">Prevention, Treatment and Solidarity in one fund.</p>
    </div>
  )
}

type ShareProps = { name: string; left: string; percent: number; fill: Fill }

const Share = ({ name, left, percent, fill }: ShareProps) => (
  <div>
    <div className="mb-1.5 flex justify-between text-sm">
      <span>{name}</span>
      <span className="figures font-medium">{left}</span>
    </div>
    <Bar percent={percent} label={name} fill={fill} />
  </div>
)

import { clsx } from 'clsx'
import { FileText, LayoutDashboard, Settings, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar } from '#ui/Avatar.tsx'
import { Badge, Status, type BadgeTone } from '#ui/Badge.tsx'
import { Bar, type Fill } from '#ui/Bar.tsx'
import { Brand } from '#ui/Brand.tsx'

const frame = clsx(
  'overflow-hidden rounded-2xl bg-ground text-left shadow-raised ring-1 ring-line',
  'md:grid md:grid-cols-[13rem_1fr]',
)

/** The company admin's dashboard of the product's own parts. Its figures are made up. */
export function ProductPicture() {
  return (
    <figure className="relative">
      <figcaption className="sr-only">
        The company dashboard: employees, fund balance, utilization, pending claims, the fund by
        category and recent claims
      </figcaption>
      <div aria-hidden="true" className={frame}>
        <Side />
        <div className="min-w-0">
          <div className="flex h-13 items-center justify-between border-b border-line px-5">
            <Badge tone="primary">Company Admin</Badge>
            <Avatar initials="LM" />
          </div>
          <div className="p-5 sm:p-7">
            <p className="text-xl font-semibold tracking-tight">Dashboard</p>
            <div className="mt-5 grid grid-cols-2 gap-3 lg:grid-cols-4">
              <Figure label="Employees" value="300" note="+12 this quarter" />
              <Figure label="Fund balance" value="€184,220" note="of €300,000" />
              <Figure label="Utilization" value="38.6 %" note="+4.1 against last month" />
              <Figure label="Pending claims" value="7" note="oldest 1 day" />
            </div>
            <div className="mt-3 grid gap-3 lg:grid-cols-[5fr_6fr]">
              <Allocation />
              <Claims />
            </div>
          </div>
        </div>
      </div>
    </figure>
  )
}

const entries = [
  ['Dashboard', LayoutDashboard],
  ['Employees', Users],
  ['Claims', FileText],
  ['Settings', Settings],
] as const

function Side() {
  return (
    <div className="hidden border-r border-line px-3 py-3.5 md:block">
      <Brand className="mx-2 text-sm" />
      <div className="mt-5 flex flex-col gap-0.5">
        {entries.map(([title, Icon], at) => (
          <span
            key={title}
            className={`flex h-9 items-center gap-3 rounded-control px-2.5 text-ui font-medium ${
              at === 0 ? 'bg-primary-wash text-primary-ink' : 'text-soft'
            }`}
          >
            <Icon className="size-4" />
            {title}
          </span>
        ))}
      </div>
    </div>
  )
}

const box = 'min-w-0 rounded-card border border-line bg-surface shadow-card'

const Figure = ({ label, value, note }: { label: string; value: string; note: string }) => (
  <div className={`${box} px-4 py-3.5`}>
    <p className="truncate text-xs text-soft">{label}</p>
    <p className="figures mt-1 text-xl font-semibold tracking-tight">{value}</p>
    <p className="mt-0.5 truncate text-xs text-faint">{note}</p>
  </div>
)

const shares: [string, string, number, Fill][] = [
  ['Prevention', '€49,380 of €60,000', 82, 'prevention'],
  ['Treatment', '€58,800 of €210,000', 28, 'treatment'],
  ['Solidarity', '€7,600 of €30,000', 25, 'solidarity'],
]

const Allocation = () => (
  <Box title="Fund allocation">
    <div className="flex flex-col gap-5 pt-1">
      {shares.map(([name, used, percent, fill]) => (
        <div key={name}>
          <div className="mb-2 flex justify-between gap-3 text-ui">
            <span className="font-medium">{name}</span>
            <span className="figures text-soft">{used}</span>
          </div>
          <Bar percent={percent} label={name} fill={fill} />
        </div>
      ))}
    </div>
  </Box>
)

const claims: [string, string, string, string, BadgeTone, string][] = [
  ['MN', 'Mira Novak', 'Annual health check', '€120.00', 'accent', 'Pending'],
  ['JB', 'Jonas Berger', 'Physiotherapy', '€64.00', 'good', 'Approved'],
  ['AO', 'Amara Okafor', 'Child vaccination', '€85.50', 'good', 'Approved'],
  ['TL', 'Tomás Lindqvist', 'Eye test', '€38.00', 'bad', 'Rejected'],
]

const Claims = () => (
  <Box title="Recent claims">
    <div className="-mb-2 divide-y divide-line">
      {claims.map(([initials, name, type, amount, tone, status]) => (
        <div key={name} className="flex items-center gap-3 py-2.5 first:pt-0">
          <Avatar initials={initials} />
          <div className="min-w-0 flex-1">
            <p className="truncate text-ui font-medium">{name}</p>
            <p className="truncate text-xs text-soft">{type}</p>
          </div>
          <span className="figures text-ui font-medium">{amount}</span>
          <span className="flex w-24 justify-end max-sm:hidden">
            <Status tone={tone}>{status}</Status>
          </span>
        </div>
      ))}
    </div>
  </Box>
)

const Box = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={`${box} p-4 sm:p-5`}>
    <p className="mb-4 text-sm font-semibold">{title}</p>
    {children}
  </div>
)

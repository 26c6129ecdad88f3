import { Link } from 'react-router'
import { createContext, use, type ReactNode } from 'react'
import { api } from '#api/api.ts'
import { paths } from '#paths.ts'
import { HomeContext } from '#ui/actor.ts'
import { useRead } from '#ui/ask.ts'
import { Callout } from '#ui/Callout.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { retention_rules, spanOfDays } from '#lib/retention.ts'
import type { Site } from './site.contract.ts'

export type LandingSection = { id: string; title: string; content: ReactNode }
type Props = { updated: string; sections: LandingSection[] }

const Operator = createContext<Site['operator'] | undefined>(undefined)

/** A long text: what it consists of at its side, its sections one under the other. */
export function Sections({ updated, sections }: Props) {
  const operator = useRead(api.site.about, {})?.operator
  if (!operator) return <Skeleton className="h-160 w-full" />
  return (
    <Operator value={operator}>
      <div className="grid gap-10 lg:grid-cols-[15rem_minmax(0,42rem)] lg:gap-16">
        <nav aria-label="On this page" className="text-sm lg:sticky lg:top-8 lg:self-start">
          <p className="mb-2 font-medium">On this page</p>
          <ol className="flex flex-col">
            {sections.map(({ id, title }) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="block rounded-md py-1 text-soft underline-offset-4 hover:text-ink hover:underline"
                >
                  {title}
                </a>
              </li>
            ))}
          </ol>
          <p className="mt-4 text-ui text-faint">Version of {updated}</p>
        </nav>
        <div className="flex flex-col gap-10 leading-relaxed">
          <WhoRunsThis operator={operator} />
          {sections.map(({ id, title, content }) => (
            <section key={id} id={id} className="scroll-mt-8">
              <h2 className="text-xl font-semibold tracking-tight">{title}</h2>
              <div className={prose}>{content}</div>
            </section>
          ))}
        </div>
      </div>
    </Operator>
  )
}

const prose =
  'mt-3 flex flex-col gap-3 text-pretty text-ink/90 [&_ul]:flex [&_ul]:list-disc [&_ul]:flex-col ' +
  '[&_ul]:gap-1.5 [&_ul]:pl-5'

function WhoRunsThis({ operator: { name, address, email } }: { operator: Site['operator'] }) {
  const is_provider = use(HomeContext) === paths.super_admin
  if (!name) {
    return (
      <Callout tone="accent" title="Who runs this site is not named here yet">
        Where this text says “the provider”, it means the company that runs this site. Ask who that
        is through <Reach />.
        {is_provider && (
          <>
            {' '}
            Only you see this: name yourself by the settings OPERATOR_NAME, OPERATOR_ADDRESS,
            OPERATOR_EMAIL and OPERATOR_COUNTRY.
          </>
        )}
      </Callout>
    )
  }
  return (
    <Callout title={name}>
      {name} runs this installation; where this text says “the provider”, it means them.
      {address && ` ${address}.`} {email && <MailTo address={email} />}
    </Callout>
  )
}

export const MailTo = ({ address }: { address: string }) => (
  <a href={`mailto:${address}`} className="underline underline-offset-2">
    {address}
  </a>
)

/** The provider is reached by mail where the settings name an address, else by the form. */
export function Reach() {
  const email = use(Operator)?.email
  return email ? (
    <MailTo address={email} />
  ) : (
    <Link to={paths.contact} className="underline underline-offset-2">
      the contact page
    </Link>
  )
}

export function Law() {
  const country = use(Operator)?.country
  if (country) return `The law of ${country} applies.`
  return 'The law of the country in which the provider has its seat applies.'
}

/** Data deleted automatically, after the days that this installation has set. */
export function KeptByTheClock() {
  const days = useRead(api.site.about, {})?.kept ?? {}
  return Object.entries(retention_rules).map(([rule, { what }]) => (
    <li key={rule}>
      {what}: {spanOfDays(days[rule] ?? 0)}.
    </li>
  ))
}

export function Authority() {
  const country = use(Operator)?.country
  return country
    ? `to the data protection authority of ${country}, or to the one where you live.`
    : 'to the data protection authority where you live.'
}

import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { Picture } from './Picture.tsx'

const column = 'mx-auto w-full max-w-6xl px-5 sm:px-8'

const steps = [
  {
    name: 'employee',
    who: 'For employees',
    title: 'See what is left. Claim it with a photo.',
    text: `Three balances and what remains of each. A receipt is read on the spot, so most fields fill
      themselves, and the timeline always says who has the claim now.`,
    points: ['Prevention, Treatment, Solidarity', 'Family cover in the same place'],
    alt: 'An employee’s dashboard: three balances, recent claims and the family that is covered',
  },
  {
    name: 'claims',
    who: 'For HR',
    title: 'A queue that empties itself where it safely can.',
    text: `Small claims that agree with their receipt are approved by your policy. The rest waits,
      oldest first, each receipt next to what was read from it, one key to decide.`,
    points: ['Two approvals where it matters', 'Every decision keeps its reasons'],
    alt: 'HR’s queue of claims with amounts, states and how long each has been waiting',
  },
  {
    name: 'funds',
    who: 'For finance',
    title: 'Every cent has an owner and a reason.',
    text: `Allocated, granted, used, free: from one ledger that nobody can edit and anybody may
      verify. Move money between categories with a preview, and undo it.`,
    points: ['Statement as of any day', 'Payroll and SEPA files'],
    alt: 'The funds of a company: what each category was allocated, granted and used',
  },
] as const

/** The product by its three readers, with pictures of itself. */
export function Story() {
  return (
    <section id="product" className="scroll-mt-16 border-y border-line bg-surface">
      <div className={clsx(column, 'flex flex-col gap-20 py-20 sm:gap-28 sm:py-28')}>
        {steps.map(({ name, who, title, text, points, alt }, step) => (
          <div
            key={name}
            className={clsx(
              'grid items-center gap-8 lg:gap-16',
              step % 2 === 0 ? 'lg:grid-cols-[5fr_7fr]' : 'lg:grid-cols-[7fr_5fr]',
            )}
          >
            <div className={step % 2 === 1 ? 'lg:order-last' : ''}>
              <p className="text-ui font-medium text-primary-ink">{who}</p>
              <h2 className="mt-2 text-2xl font-semibold tracking-tight text-balance sm:text-3xl">
                {title}
              </h2>
              <p className="mt-4 leading-relaxed text-pretty text-soft">{text}</p>
              <ul className="mt-5 flex flex-col gap-2 text-sm">
                {points.map((point) => (
                  <li key={point} className="flex items-center gap-2.5">
                    <Check className="size-4 shrink-0 text-primary" aria-hidden />
                    {point}
                  </li>
                ))}
              </ul>
            </div>
            <div className="later aspect-[16/10] overflow-hidden rounded-xl bg-ground shadow-raised ring-1 ring-line">
              <Picture name={name} alt={alt} />
            </div>
          </div>
        ))}
      </div>
    </section>
  )
}

import { Link } from 'react-router'
import { useEffect } from 'react'
import { useFormContext } from 'react-hook-form'
import { paths } from '#paths.ts'
import { Callout } from '#ui/Callout.tsx'
import { dateText } from '#ui/DateText.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { FieldWarning } from './FieldWarning.tsx'
import { relationships } from '#dependents/words.contract.ts'
import { coveredOn, type OfferedDependent } from './claim-options.ts'
import type { ClaimOptions } from '#claims/claims.contract.ts'

type Props = { options: ClaimOptions; warning: string | undefined }

/** Solidarity is for somebody of the family who is covered that day; the rest is for oneself. */
export function ForWhomField({ options, warning }: Props) {
  const form = useFormContext()
  const solidarity = form.watch('category') === 'solidarity'
  const day = form.watch('service_on') as string | undefined
  const chosen = form.watch('dependent_id') as string | undefined
  const covered = coveredOn(options, day)
  const only = covered.length === 1 ? covered[0]?.id : undefined
  useEffect(() => {
    if (solidarity && only && !form.getValues('dependent_id')) form.setValue('dependent_id', only)
  }, [solidarity, only, form])
  if (!solidarity) return null
  // The chosen dependent stays chosen when the day changes: a fault is then shown beside the day.
  const offered = options.dependents.filter((one) => one.id === chosen || covered.includes(one))
  if (offered.length === 0) return <NobodyCovered options={options} />
  const left_out = options.dependents.filter((one) => !offered.includes(one))
  const why = left_out.length > 0 ? `Not covered that day: ${whenCovered(left_out)}` : undefined
  return (
    <SelectField
      name="dependent_id"
      label="For whom"
      required
      placeholder="Choose who it is for"
      hint={
        <>
          <FieldWarning name="dependent_id" text={warning} />
          {why && <span className="block wrap-anywhere">{why}</span>}
        </>
      }
      options={Object.fromEntries(
        offered.map((one) => [
          one.id,
          `${one.full_name} (${relationships[one.relationship]})` +
            (covered.includes(one) ? '' : ', not covered that day'),
        ]),
      )}
    />
  )
}

/** Names the dependents covered on other days, so that a mistyped date is noticed. */
const NobodyCovered = ({ options: { dependents } }: { options: ClaimOptions }) => (
  <Callout
    tone="accent"
    title={
      dependents.length > 0
        ? 'None of your dependents is covered on that day'
        : 'Add a dependent first'
    }
  >
    {dependents.length > 0 && <span className="block">{whenCovered(dependents)}.</span>}
    Solidarity is for dependents.{' '}
    <Link to={paths.dependents} className="font-medium text-primary-ink underline">
      Go to Dependents
    </Link>
  </Callout>
)

const whenCovered = (dependents: OfferedDependent[]) => {
  const days = dependents.slice(0, most).map(({ full_name, covered_from, covered_to }) => {
    const until = covered_to ? ` to ${dateText(covered_to)}` : ''
    return `${full_name} (from ${dateText(covered_from)}${until})`
  })
  const more = dependents.length - days.length
  return days.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

const most = 3

import { Link } from 'react-router'
import { useEffect } from 'react'
import { useFormContext } from 'react-hook-form'
import { paths } from '#paths.ts'
import { Callout } from '#ui/Callout.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { FieldWarning } from './FieldWarning.tsx'
import { relationshipNames } from './names.ts'
import { coveredOn, type Options } from './years.ts'

type Props = { options: Options; warning: string | undefined }

/** Solidarity is for somebody of the family who is covered that day; the rest is for oneself. */
export function ForWhomField({ options, warning }: Props) {
  const form = useFormContext()
  const solidarity = form.watch('category') === 'solidarity'
  const day = form.watch('service_on') as string | undefined
  const covered = coveredOn(options, day)
  const only = covered.length === 1 ? covered[0]?.id : undefined
  useEffect(() => {
    if (solidarity && only && !form.getValues('dependent_id')) form.setValue('dependent_id', only)
  }, [solidarity, only, form])
  if (!solidarity) return null
  if (covered.length === 0) {
    return (
      <Callout tone="accent" title="Nobody of your family is covered on that day">
        Solidarity is for dependents.{' '}
        <Link to={paths.dependents} className="font-medium text-primary-ink underline">
          Go to Dependents
        </Link>
      </Callout>
    )
  }
  return (
    <SelectField
      name="dependent_id"
      label="For whom"
      required
      placeholder="Choose for whom"
      hint={<FieldWarning text={warning} />}
      options={Object.fromEntries(
        covered.map(({ id, full_name, relationship }) => [
          id,
          `${full_name} (${relationshipNames[relationship]})`,
        ]),
      )}
    />
  )
}

import { lazy_api } from '#api/lazy-api.ts'
import { paths } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { ButtonLink } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { count } from '#ui/figures.ts'

/** Says that requests for erasure wait for a decision; draws nothing when none does. */
export function ErasuresWaiting() {
  const found = useRead(lazy_api.privacy.erasures_waiting, {})
  if (!found?.waiting) return null
  const { waiting, person_name } = found
  const others = waiting === 2 ? ' and one other person' : ` and ${count(waiting - 1)} others`
  const title =
    waiting === 1
      ? 'An erasure request is waiting for your decision'
      : `${count(waiting)} erasure requests are waiting for your decision`
  return (
    <Callout
      tone="accent"
      title={title}
      action={
        <ButtonLink size="small" to={paths.erasures}>
          Decide
        </ButtonLink>
      }
    >
      {`${person_name}${waiting > 1 ? others : ''} asked to have their personal data erased.`}
    </Callout>
  )
}

import { rights_api } from '#api/rights-api.ts'
import { paths } from '#paths.ts'
import { giverNames, rightNames } from '#users/rights.contract.ts'
import { useActor } from '#ui/actor.ts'
import { useRead } from '#ui/ask.ts'
import { ButtonLink } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { dateText } from '#ui/DateText.tsx'

/**
 * Tells a new admin, on the dashboard, that an owner has to confirm their rights or when these begin, and what works meanwhile.
 */
export function RightsWait() {
  const { rights_wait, only_waits, role } = useActor()
  const waiting = useRead(rights_api.waiting, rights_wait ? {} : undefined)
  if (!rights_wait || !waiting || waiting.kinds.length === 0) return null
  const { kinds, given_by, given_at, begins_at, confirmers } = waiting
  const many = kinds.length > 1
  const giver_facts = [`by ${giverNames(given_by)}`, given_at && `on ${dateText(given_at)}`]
  const [they_take, them] = many ? ['They take', 'them'] : ['It takes', 'it']
  const then = begins_at
    ? `${they_take} effect on ${dateText(begins_at, 'beginning')}.`
    : confirmers.length > 0
      ? `${they_take} effect once ${confirmers.join(' or ')} confirms ${them}.`
      : `An owner of your company has to confirm ${them}, and today none can.`
  const meanwhile =
    role === 'company_admin'
      ? 'Until then you work with the rights you have.'
      : `${only_waits ? '' : 'Until then you see what every employee sees. '}You can already complete ` +
        'your profile and set up two-step verification in Settings.'
  return (
    <Callout
      title={titleOf(many, begins_at !== null)}
      action={
        <ButtonLink size="small" to={paths.settings}>
          Open Settings
        </ButtonLink>
      }
    >
      {`You were given ${rightNames(kinds)} ${giver_facts.filter(Boolean).join(' ')}. ${then} ${meanwhile}`}
    </Callout>
  )
}

const titleOf = (many: boolean, begins: boolean) =>
  begins
    ? `Your ${many ? 'rights begin' : 'right begins'} later`
    : `Your ${many ? 'rights wait' : 'right waits'} for an owner`

import { Globe } from 'lucide-react'
import { useState } from 'react'
import { api } from '#api/api.ts'
import { Problem } from '#problems.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Badge } from '#ui/Badge.tsx'
import { Callout } from '#ui/Callout.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { showFailure, Failure } from '#ui/failure.ts'
import { allOf, count, counted } from '#ui/figures.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Toggle } from '#ui/ToggleField.tsx'

export function DomainRegistration() {
  const domain = useRead(api.companies.domain, {})
  const [confirming, setConfirming] = useState(false)
  const set = useWrite(api.companies.set_auto_registration, ({ domain_auto_register }) =>
    domain_auto_register ? 'Domain auto-registration enabled' : 'Domain auto-registration disabled',
  )
  const change = async (enabled: boolean) => {
    try {
      await set.submit({ enabled })
    } catch (error) {
      showFailure(error instanceof Problem ? error : new Failure('Failed to update setting'))
    }
  }
  if (!domain) return <Skeleton className="h-28 w-full" />
  const { people, names } = domain.lets_in
  const more = people - names.length
  return (
    <div className="flex flex-col gap-5">
      <div className="flex items-start justify-between gap-6 rounded-card border border-line p-4">
        <div className="flex min-w-0 gap-3">
          <Globe className="mt-0.5 size-5 shrink-0 text-faint" aria-hidden />
          <div className="min-w-0">
            <p id="auto-registration" className="text-sm font-medium">
              Domain auto-registration
            </p>
            <p className="mt-1 text-sm text-soft">
              Anyone who signs up and confirms an address at{' '}
              <span className="font-medium wrap-anywhere text-ink">
                {[domain.domain ?? 'your domain', ...domain.others].join(' or ')}
              </span>{' '}
              joins without your approval.
            </p>
            <p className="mt-2">
              <Badge tone={domain.is_proven ? 'good' : 'accent'}>
                {domain.is_proven ? 'Domain verified' : 'Domain not verified yet'}
              </Badge>
            </p>
          </div>
        </div>
        <Toggle
          aria-labelledby="auto-registration"
          checked={domain.domain_auto_register}
          disabled={set.pending}
          onCheckedChange={(enabled) =>
            enabled && people > 0 ? setConfirming(true) : void change(enabled)
          }
        />
      </div>
      <ConfirmDialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={`Let in ${counted(people, 'person', 'people')} who asked to join?`}
        description={
          `${allOf(more > 0 ? [...names, `${count(more)} more`] : names)} asked to join and will be ` +
          'active at once, with their allowances as far as the pools reach. People you declined stay out.'
        }
        variant="primary"
        does="Enable and let them in"
        act={() => set.submit({ enabled: true })}
      />
      {!domain.is_proven && (
        <Callout>
          An owner verifies the domain under Connections, by a DNS record or by email. Public email
          domains such as gmail.com can’t be a company’s.
        </Callout>
      )}
    </div>
  )
}

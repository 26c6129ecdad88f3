import type { ReactNode } from 'react'
import { z } from 'zod'
import { useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { connections_api } from '../api.ts'
import { CopiedText } from '../CopiedText.tsx'
import type { OwnDomain } from './domains.contract.ts'

const faults = {
  missing: 'The record was not found. A new record can take an hour to be seen everywhere.',
  different: 'There is a record with this name, but with another value. Copy the value again.',
  servers: 'The name servers did not answer. Try again in a few minutes.',
  taken: 'The record is there, but the domain now belongs to another company.',
}

/** A domain is proven by a DNS record, or by a code that its postmaster was mailed. */
export function ProveDomain({ own, onClose }: { own: OwnDomain; onClose: () => void }) {
  const { domain, proven_at } = own
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={proven_at ? `${domain} is verified` : `Verify ${domain}`}
    >
      {proven_at ? (
        <div className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      ) : (
        <div className="flex flex-col gap-7">
          <ByRecord own={own} />
          <ByMail own={own} />
        </div>
      )}
    </Dialog>
  )
}

type WayProps = { title: string; how: string; children: ReactNode }

const Way = ({ title, how, children }: WayProps) => (
  <section className="flex flex-col gap-4">
    <div>
      <h3 className="text-sm font-medium">{title}</h3>
      <p className="mt-1 text-sm text-pretty text-soft">{how}</p>
    </div>
    {children}
  </section>
)

function ByRecord({ own: { domain, record, checking, checked_at, fault } }: { own: OwnDomain }) {
  const check = useWrite(connections_api.domains.check)
  return (
    <Way
      title="By a DNS record"
      how="Add this TXT record where your domain is managed. It can stay there."
    >
      <CopiedText name="Name" text={record.name} />
      <CopiedText name="Value" text={record.value} />
      {fault && !checking && (
        <Callout tone="accent">
          {faults[fault]}{' '}
          {checked_at && (
            <>
              Checked <DateText value={checked_at} show="ago" />.
            </>
          )}
        </Callout>
      )}
      <div>
        <Button disabled={checking || check.pending} onClick={() => check({ domain })}>
          {checking ? 'Checking...' : 'Check the record'}
        </Button>
      </div>
    </Way>
  )
}

const Code = z.object({ code: z.string().trim().min(1, 'Code is required') })

function ByMail({ own: { domain, mailed_at } }: { own: OwnDomain }) {
  const mail = useWrite(
    connections_api.domains.mail_code,
    `A code is on its way to postmaster@${domain}`,
  )
  const confirm = useWrite(connections_api.domains.confirm_code)
  return (
    <Way
      title="By email"
      how={`We send a code to postmaster@${domain}. Ask the people who read that mailbox for it.`}
    >
      <div>
        <Button disabled={mail.pending} onClick={() => mail({ domain })}>
          {mailed_at ? 'Send another code' : 'Send a code'}
        </Button>
      </div>
      {mailed_at && (
        <Form
          name="domain-code"
          shape={Code}
          onSubmit={({ code }) => confirm.submit({ domain, code })}
        >
          <TextField
            name="code"
            label="Code"
            hint="It is valid for a day."
            autoComplete="off"
            required
          />
          <div>
            <SubmitButton waiting="Checking...">Verify with code</SubmitButton>
          </div>
        </Form>
      )}
    </Way>
  )
}

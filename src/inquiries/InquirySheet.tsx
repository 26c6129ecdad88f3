import { Check, Mail, RotateCcw, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { useWrite } from '#ui/ask.ts'
import { Button, buttonStyles } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Facts } from '#ui/Facts.tsx'
import { count } from '#ui/figures.ts'
import { OneSheet } from '#ui/OneSheet.tsx'
import type { Inquiry } from './inquiries.contract.ts'

type Props = { id: string | undefined; onClose: () => void }

/** One message, and what to do with it. */
export const InquirySheet = ({ id, onClose }: Props) => (
  <OneSheet
    id={id}
    find={lazy_api.inquiries.find}
    title={(inquiry) => inquiry?.company ?? 'Inquiry'}
    onClose={onClose}
  >
    {(inquiry) => <About inquiry={inquiry} onGone={onClose} />}
  </OneSheet>
)

function About({ inquiry, onGone }: { inquiry: Inquiry; onGone: () => void }) {
  const facts: [string, ReactNode][] = [
    ['From', inquiry.full_name],
    ['Email', inquiry.email],
    ['Company', inquiry.company],
    ['People', count(inquiry.people)],
    ['Received', <DateText key="received" value={inquiry.received_at} show="moment" />],
  ]
  return (
    <div className="flex flex-col gap-6">
      {inquiry.suspect && (
        <Callout tone="accent" title="Suspected spam">
          It was sent within moments, or filled in a field that people can’t see. Nobody was
          notified.
        </Callout>
      )}
      {inquiry.answered_at && (
        <Callout tone="good" title="Answered">
          <DateText value={inquiry.answered_at} show="moment" />
          {inquiry.answered_by_name && ` by ${inquiry.answered_by_name}`}
        </Callout>
      )}
      <p className="rounded-card bg-sunken px-4 py-3 text-sm leading-relaxed whitespace-pre-line wrap-anywhere">
        {inquiry.message}
      </p>
      <Facts facts={facts} />
      <InquiryActions inquiry={inquiry} onGone={onGone} />
    </div>
  )
}

function InquiryActions({ inquiry, onGone }: { inquiry: Inquiry; onGone: () => void }) {
  const [removing, setRemoving] = useState(false)
  const { id } = inquiry
  const answer = useWrite(lazy_api.inquiries.answer, ({ answered_at }) =>
    answered_at ? 'Marked as answered' : 'Reopened',
  )
  const remove = useWrite(lazy_api.inquiries.remove, 'Message deleted')
  const subject = encodeURIComponent(`Healthfund for ${inquiry.company}`)
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-5">
      <a
        href={`mailto:${inquiry.email}?subject=${subject}`}
        className={buttonStyles({ variant: 'primary' })}
      >
        <Mail className="size-4" aria-hidden />
        Answer by email
      </a>
      <Button
        icon={inquiry.answered_at ? RotateCcw : Check}
        loading={answer.pending}
        onClick={() => answer({ id, answered: !inquiry.answered_at })}
      >
        {inquiry.answered_at ? 'Reopen' : 'Mark as answered'}
      </Button>
      <Button icon={Trash2} onClick={() => setRemoving(true)}>
        Delete
      </Button>
      <ConfirmDialog
        open={removing}
        onClose={() => setRemoving(false)}
        title="Delete this message?"
        description="Name, address and text are permanently deleted. The deletion is recorded."
        does="Delete"
        act={() => remove.submit({ id })}
        onDone={onGone}
      />
    </div>
  )
}

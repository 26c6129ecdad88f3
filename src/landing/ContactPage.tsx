import { CircleCheck } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useFormContext } from 'react-hook-form'
import { Link, useLocation } from 'react-router'
import { z } from 'zod'
import { api } from '#api/api.ts'
import { KnownAsker, NewInquiry } from '#inquiries/inquiries.contract.ts'
import { paths } from '#paths.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { TextAreaField, TextField } from '#ui/TextField.tsx'
import { PublicPage } from './PublicPage.tsx'
import { MailTo } from './Sections.tsx'

const ContactForm = NewInquiry.extend({ website: z.string().optional() })

export function ContactPage() {
  const [thanks, setThanks] = useState<string>()
  const asker = KnownAsker.safeParse(useLocation().state).data
  return (
    <PublicPage
      wide
      title="Contact"
      description={
        asker
          ? 'Your question goes to the provider, with your name and company.'
          : 'Questions about Healthfund for your company? Write to us, and somebody who knows the product answers.'
      }
    >
      <div className="grid gap-12 lg:grid-cols-[minmax(0,6fr)_minmax(0,5fr)] lg:gap-20">
        <div className="rounded-2xl border border-line bg-surface p-5 shadow-card sm:p-8">
          {thanks ? (
            <Thanks
              email={thanks}
              signed_in={asker !== undefined}
              onAgain={() => setThanks(undefined)}
            />
          ) : (
            <Message asker={asker} onSent={setThanks} />
          )}
        </div>
        <Aside signed_in={asker !== undefined} />
      </div>
    </PublicPage>
  )
}

type MessageProps = {
  asker: z.output<typeof KnownAsker> | undefined
  onSent: (email: string) => void
}

function Message({ asker, onSent }: MessageProps) {
  const stamp = useRead(lazy_api.inquiries.form, {})?.stamp
  const [first, setFirst] = useState<string>()
  // The first one says when the form was opened; later answers would say that it is new.
  if (stamp && !first) setFirst(stamp)
  return (
    <Form
      name="contact"
      shape={ContactForm}
      defaults={asker ?? {}}
      onSubmit={async (values) => {
        await lazy_api.inquiries.send({ ...values, stamp: first ?? '' })
        onSent(values.email)
      }}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="full_name" label="Name" autoComplete="name" required />
        <TextField name="email" label="Work email" type="email" autoComplete="email" required />
        <TextField name="company" label="Company" autoComplete="organization" required />
        <TextField
          name="people"
          label="How many people"
          inputMode="numeric"
          placeholder="250"
          required
        />
      </div>
      <TextAreaField
        name="message"
        label="Message"
        rows={6}
        placeholder="What would you like to know?"
        required
      />
      <Trap />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <SubmitButton waiting="Sending..." large>
          Send message
        </SubmitButton>
        <p className="text-ui text-faint">
          Used to answer you, and for nothing else.{' '}
          <Link to={paths.privacy} className="underline underline-offset-2 hover:text-ink">
            Privacy
          </Link>
        </p>
      </div>
    </Form>
  )
}

/** No person sees or reaches it; a machine that fills every field fills this one. */
function Trap() {
  const { register } = useFormContext()
  return (
    <div aria-hidden="true" className="absolute size-px overflow-hidden [clip-path:inset(50%)]">
      <label>
        Website
        <input type="text" tabIndex={-1} autoComplete="off" {...register('website')} />
      </label>
    </div>
  )
}

type ThanksProps = { email: string; signed_in: boolean; onAgain: () => void }

function Thanks({ email, signed_in, onAgain }: ThanksProps) {
  return (
    <output className="flex flex-col items-start">
      <span className="grid size-12 place-items-center rounded-full bg-good-wash text-good-ink">
        <CircleCheck className="size-6" aria-hidden />
      </span>
      <h2 className="mt-5 text-xl font-semibold tracking-tight">Thank you, we have your message</h2>
      <p className="mt-2 text-pretty text-soft">
        We’ll reply to <strong className="font-medium text-ink wrap-anywhere">{email}</strong>.
        {!signed_in && ' Until then, have a look around.'}
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        {signed_in ? (
          <ButtonLink to={paths.company_admin} variant="primary">
            Back to your dashboard
          </ButtonLink>
        ) : (
          <ButtonLink to={paths.demo} variant="primary">
            View Demo
          </ButtonLink>
        )}
        <Button onClick={onAgain}>Write another message</Button>
      </div>
    </output>
  )
}

const points: [string, ReactNode][] = [
  ['What you can ask', 'Prices, security, how to roll it out, what your works council will ask.'],
  ['Who answers', 'People who know the product. We call only if you ask us to.'],
  [
    'No need to wait',
    <>
      <Link to={paths.signup} className="font-medium text-primary-ink hover:underline">
        Create your company
      </Link>{' '}
      now: people, plan and policy can be set up in 5 minutes, with no credit card, before any money
      moves.
    </>,
  ],
]

function Aside({ signed_in }: { signed_in: boolean }) {
  const operator = useRead(api.site.about, {})?.operator
  return (
    <div className="flex flex-col gap-8 lg:pt-4">
      {!signed_in &&
        points.map(([title, text]) => (
          <div key={title} className="border-l-2 border-primary pl-5">
            <h2 className="font-semibold">{title}</h2>
            <p className="mt-1 text-pretty text-soft">{text}</p>
          </div>
        ))}
      {operator?.name && (
        <address className="border-l-2 border-line pl-5 text-soft not-italic">
          <span className="font-semibold text-ink">{operator.name}</span>
          {operator.address && <span className="block">{operator.address}</span>}
          {operator.email && <MailTo address={operator.email} />}
        </address>
      )}
    </div>
  )
}

import { useEffect, useRef, useState } from 'react'
import { useFormContext, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { api } from '#api/api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { AmountField } from '#ui/AmountField.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { useSettled } from '#ui/settled.ts'
import { TextField } from '#ui/TextField.tsx'
import { toast } from '#ui/toast.ts'
import { UnsavedChanges } from '#ui/UnsavedChanges.tsx'
import { policyFormOf, termsOf, textsOf, type PolicyForm } from './policy-form.ts'
import { policyChangesOf, type VersionedPolicy } from './policy-words.contract.ts'
import { gapSentence, tooFew } from './gaps.contract.ts'
import { PolicyPreview } from './PolicyPreview.tsx'
import { StepDialog, type EditedStep } from './StepDialog.tsx'
import { StepsField } from './StepsField.tsx'
import type { Names } from './step-words.contract.ts'
import type { ApprovalStep } from './steps.contract.ts'

type Current = VersionedPolicy & { currency: string }

type EditorProps = {
  /** The policy when the form was opened. */
  opened: Current
  policy: Current
  onSaved: (saved: VersionedPolicy) => void
}

export function PolicyEditor({ opened, policy, onSaved }: EditorProps) {
  const { currency, version } = policy
  const change = useWrite(api.policies.change)
  const [shape] = useState(() => policyFormOf(currency))
  const [editing, setEditing] = useState<EditedStep>()
  const choices = useRead(api.policies.step_choices, {})
  const types = useRead(api.policies.types, {})
  const names: Names = {
    ...policy.names,
    ...Object.fromEntries(
      [...(choices?.people ?? []), ...(choices?.groups ?? []), ...(types ?? [])].map(nameOf),
    ),
  }
  const gaps = useRead(api.policies.gaps, {})
  const lacks = (step: ApprovalStep, at: number) =>
    JSON.stringify(step) === JSON.stringify(policy.steps[at])
      ? (gaps?.steps ?? []).filter(({ number }) => number === at + 1).map((gap) => gapSentence(gap))
      : []
  const save = async ({ note, ...typed }: z.output<PolicyForm>, form: UseFormReturn) => {
    const terms = termsOf(typed)
    if (policyChangesOf(terms, policy, currency).length === 0) {
      toast('The policy already says this', 'notice')
      return
    }
    const saved = await change.submit({ version, ...terms, ...(note ? { note } : {}) })
    onSaved(saved)
    form.setValue('note', '')
    toast(`Policy version ${saved.version} is in force`)
  }
  return (
    <>
      <Form
        follows
        name="claim-policy"
        shape={shape}
        defaults={{ ...textsOf(opened, currency), note: '' }}
        onSubmit={save}
        className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]"
      >
        <div className="flex min-w-0 flex-col gap-6">
          <Meanwhile opened={opened} policy={policy} names={names} onTheirs={onSaved} />
          {gaps && tooFew(gaps) && (
            <Callout
              tone="accent"
              title={
                gaps.reviewers < gaps.needed ? 'Too few reviewers' : 'Not enough reviewers yet'
              }
            >
              {tooFew(gaps)}
            </Callout>
          )}
          <AutomaticApproval currency={currency} />
          <StepsField currency={currency} names={names} lacks={lacks} onEdit={setEditing} />
          <Time />
          <Payouts />
        </div>
        <Effect policy={policy} shape={shape} onDiscard={() => onSaved(policy)} />
      </Form>
      {editing && (
        <StepDialog {...editing} currency={currency} onClose={() => setEditing(undefined)} />
      )}
    </>
  )
}

const nameOf = ({ id, name }: { id: string; name: string }) => [id, name] as const

const AutomaticApproval = ({ currency }: { currency: string }) => (
  <Card
    title="Automatic approval"
    description="Only if the receipt could be read and matches the claim, and nothing looks like a duplicate"
  >
    <div className="grid gap-5 sm:grid-cols-2">
      <AmountField
        name="auto_approve_cents"
        label="Up to"
        currency={currency}
        required
        hint="Zero: a person decides on every claim"
      />
      <TextField
        name="auto_approve_per_month"
        label="At most, claims per person and month"
        type="number"
        required
        hint="Further claims go to a person"
      />
      <TextField
        name="spot_check_percent"
        label="Spot checks, percent"
        type="number"
        required
        hint="Chosen at random, so nobody can predict it"
      />
      <AmountField
        name="receipt_above_cents"
        label="Receipt needed above"
        currency={currency}
        required
        hint="Below it a claim may come without one"
      />
    </div>
  </Card>
)

const Time = () => (
  <Card title="Time" description="Nothing is ever approved because time ran out">
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        name="review_days"
        label="Decide within, working days"
        type="number"
        required
        hint="After that the claim is marked overdue, and all reviewers are notified once"
      />
    </div>
  </Card>
)

const Payouts = () => (
  <Card
    title="Payouts"
    description="Gives people time to notice when somebody else changed their bank account"
  >
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        name="account_wait_days"
        label="Days before a new or changed account is paid"
        type="number"
        required
        hint="Zero: no delay. Applies to all claims not yet paid; payouts leave them out until then."
      />
    </div>
  </Card>
)

type EffectProps = { policy: Current; shape: PolicyForm; onDiscard: () => void }

/** The last twelve months under these terms, before anything is saved. */
function Effect({ policy, shape, onDiscard }: EffectProps) {
  const { settled } = useSettled(useFormContext().watch())
  const parsed = shape.safeParse(settled)
  const terms = parsed.success ? termsOf(parsed.data) : undefined
  const preview = useRead(api.policies.preview, terms, { keep: true, quiet: true })
  const changed = terms && policyChangesOf(terms, policy, policy.currency).length > 0
  return (
    <Card title="What would have changed in the last 12 months" className="lg:sticky lg:top-20">
      <div className="flex flex-col gap-5">
        <PolicyPreview
          preview={preview}
          currency={policy.currency}
          changed={changed ?? false}
          steps={terms?.steps}
        />
        <TextField
          name="note"
          label="Reason for the change"
          hint="Optional. Shown in the version history."
        />
        {changed && <Unsaved policy={policy} onDiscard={onDiscard} />}
        {changed === false && <p className="text-ui text-soft">No changes to save.</p>}
        <SubmitButton wide waiting="Saving...">
          Save policy
        </SubmitButton>
      </div>
    </Card>
  )
}

function Unsaved({ policy, onDiscard }: Omit<EffectProps, 'shape'>) {
  const form = useFormContext()
  return (
    <UnsavedChanges
      onDiscard={() => {
        form.reset({ ...textsOf(policy, policy.currency), note: '' })
        onDiscard()
      }}
    />
  )
}

type MeanwhileProps = Omit<EditorProps, 'onSaved'> & {
  names: Names
  onTheirs: (policy: VersionedPolicy) => void
}

/** A notice that somebody else saved another version: fields changed here are kept, all others are taken from it. */
function Meanwhile({ opened, policy, names, onTheirs }: MeanwhileProps) {
  const form = useFormContext()
  const { currency } = policy
  const taken = useRef(opened)
  useEffect(() => {
    // The version just saved here is known before the page has read it again.
    if (opened.version > taken.current.version) taken.current = opened
    if (policy.version <= taken.current.version) return
    const [was, now] = [textsOf(taken.current, currency), textsOf(policy, currency)]
    taken.current = policy
    const fields = Object.keys(now) as (keyof typeof now)[]
    const changed = fields.filter((name) => form.getValues(name) !== was[name])
    for (const name of fields) if (!changed.includes(name)) form.setValue(name, now[name])
    if (changed.length === 0) onTheirs(policy)
  }, [form, opened, policy, currency, onTheirs])
  if (policy.version <= opened.version) return null
  return (
    <Callout tone="accent" title={`Version ${policy.version} was saved while you were editing`}>
      Your changes are still here, and replace theirs when you save. They changed:
      <ul className="mt-2 flex flex-col gap-1">
        {policyChangesOf(policy, opened, currency, names).map(({ name, before, after }) => (
          <li key={name} className="wrap-anywhere">
            <span className="font-medium">{name}</span>: {after}, was {before}
          </li>
        ))}
      </ul>
    </Callout>
  )
}

import { ArrowDown, ArrowUp, Pencil, Plus, Trash2, TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useFormContext } from 'react-hook-form'
import { Button, IconButton } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { capitalise } from '#ui/figures.ts'
import { dismiss, toast } from '#ui/toast.ts'
import { stepsFrom, stepsText } from './policy-form.ts'
import { whenItApplies, whoApproves, withinWhat, type Names } from './step-words.contract.ts'
import { most_steps, plain_step, type ApprovalStep } from './steps.contract.ts'
import type { EditedStep } from './StepDialog.tsx'

type Props = {
  currency: string
  names: Names
  /** The people that a saved step lacks, in words. */
  lacks: (step: ApprovalStep, at: number) => string[]
  onEdit: (editing: EditedStep) => void
}

const about =
  'A claim that a person decides passes every step that applies to it, each by somebody else. ' +
  'Takes effect once you save the policy.'

/** The notice with Undo goes when the policy is saved: a step restored after that would not be in force. */
function useOfferToUndo(isSubmitting: boolean) {
  const shown = useRef<number>(undefined)
  useEffect(() => {
    if (isSubmitting && shown.current !== undefined) dismiss(shown.current)
  }, [isSubmitting])
  return (text: string, undo: () => void) => {
    shown.current = toast(text, 'notice', { label: 'Undo', run: undo })
  }
}

export function StepsField({ currency, names, lacks, onEdit }: Props) {
  const form = useFormContext()
  const offerUndo = useOfferToUndo(form.formState.isSubmitting)
  const steps = stepsFrom(form.watch('steps') as string)
  const now = () => stepsFrom(form.getValues('steps') as string)
  const set = (next: ApprovalStep[]) =>
    form.setValue('steps', stepsText(next), { shouldDirty: true, shouldValidate: true })
  const edit = (at: number) =>
    onEdit({
      step: steps[at] ?? plain_step,
      fresh: at >= steps.length,
      save: (step) => set(steps.toSpliced(at, 1, step)),
    })
  const { list, focus } = useFocusNext()
  const move = (at: number, by: number) => {
    const [step] = steps.slice(at, at + 1)
    if (!step) return
    // The focus stays on the moved step; at either end only the button back remains.
    const to = at + by
    const way = to === 0 ? 'down' : to === steps.length - 1 ? 'up' : by < 0 ? 'up' : 'down'
    focus(`[aria-label="Move step ${to + 1} ${way}"]`)
    set(steps.toSpliced(at, 1).toSpliced(to, 0, step))
  }
  const remove = (at: number) => {
    const [gone] = steps.slice(at, at + 1)
    if (!gone) return
    // Undo inserts the step into the table as it is by then, so later changes stay.
    const putBack = () => set(now().toSpliced(at, 0, gone))
    focus(steps.length > 1 ? `[aria-label="Change step ${Math.max(1, at)}"]` : '[data-add]')
    set(steps.toSpliced(at, 1))
    offerUndo(`Step ${at + 1} removed`, putBack)
  }
  return (
    <Card title="Approvals" description={about} flush>
      <ol ref={list} className="divide-y divide-line">
        {steps.map((step, at) => (
          <StepLine
            key={`step ${at + 1}`}
            at={at}
            last={at === steps.length - 1}
            texts={[
              whoApproves(step, names),
              whenItApplies(step, names, currency),
              withinWhat(step, names, currency),
            ]}
            lacks={lacks(step, at)}
            onMove={(by) => move(at, by)}
            onEdit={() => edit(at)}
            onRemove={() => remove(at)}
          />
        ))}
      </ol>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3">
        <p className="text-ui text-soft">
          {steps.length === 0
            ? 'Without a step one reviewer decides.'
            : 'Where no step applies, one reviewer decides.'}
        </p>
        <Button
          data-add
          icon={Plus}
          disabled={steps.length >= most_steps}
          onClick={() => edit(steps.length)}
        >
          Add step
        </Button>
      </div>
    </Card>
  )
}

/** The element to focus once the table is drawn again. */
function useFocusNext() {
  const list = useRef<HTMLOListElement>(null)
  const next = useRef<string>(undefined)
  useEffect(() => {
    if (!next.current) return
    list.current?.parentElement?.querySelector<HTMLElement>(next.current)?.focus()
    next.current = undefined
  })
  return { list, focus: (selector: string) => void (next.current = selector) }
}

type StepLineProps = {
  at: number
  last: boolean
  lacks: readonly string[]
  texts: readonly [who: string, when: string, within: string]
  onMove: (by: number) => void
  onEdit: () => void
  onRemove: () => void
}

function StepLine({
  at,
  last,
  lacks,
  texts: [who, when, within],
  onMove,
  onEdit,
  onRemove,
}: StepLineProps) {
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-5 py-3.5 text-sm">
      <span className={numberStyles}>{at + 1}</span>
      <div className="min-w-40 flex-1">
        <p className="font-medium wrap-anywhere">{who}</p>
        <p className="mt-0.5 text-ui wrap-anywhere text-soft">{capitalise(when)}</p>
        {within && <p className="text-ui wrap-anywhere text-soft">{capitalise(within)}</p>}
        {lacks.map((sentence) => (
          <p key={sentence} className="mt-1 flex gap-1.5 text-ui wrap-anywhere text-accent-ink">
            <TriangleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden />
            {sentence}
          </p>
        ))}
      </div>
      <div className="flex gap-1 max-sm:basis-full max-sm:justify-end">
        <IconButton
          size="small"
          label={`Move step ${at + 1} up`}
          disabled={at === 0}
          icon={<ArrowUp className="size-3.5" aria-hidden />}
          onClick={() => onMove(-1)}
        />
        <IconButton
          size="small"
          label={`Move step ${at + 1} down`}
          disabled={last}
          icon={<ArrowDown className="size-3.5" aria-hidden />}
          onClick={() => onMove(1)}
        />
        <IconButton
          size="small"
          label={`Change step ${at + 1}`}
          icon={<Pencil className="size-3.5" aria-hidden />}
          onClick={onEdit}
        />
        <IconButton
          size="small"
          label={`Remove step ${at + 1}`}
          icon={<Trash2 className="size-3.5" aria-hidden />}
          onClick={onRemove}
        />
      </div>
    </li>
  )
}

const numberStyles =
  'figures grid size-6 shrink-0 place-items-center rounded-full bg-sunken text-ui text-soft'

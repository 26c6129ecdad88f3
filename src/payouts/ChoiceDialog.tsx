import { useState } from 'react'
import { z } from 'zod'
import type { ProblemCode } from '#problems.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { CancelButton, Form, SubmitButton } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextAreaField } from '#ui/TextField.tsx'
import { BlockReason } from './blocks.contract.ts'

type Props<C extends string> = {
  name: string
  title: string
  description: string
  choice: { label: string; fault: string; options: Readonly<Record<C, string>> }
  /** The hint under the reason. */
  hint: string
  /** The label of the button that acts; `unless`: the refusal of the act. */
  does: string
  unless?: ProblemCode | null
  act: (choice: C, reason: string) => Promise<unknown>
  onClose: () => void
}

/** A dialog with a choice and a reason. */
export function ChoiceDialog<C extends string>(props: Props<C>) {
  const { name, choice, hint, does, unless, act, onClose } = props
  const [shape] = useState(() => {
    const choices = Object.keys(choice.options) as C[]
    return z.object({ choice: z.enum(choices, choice.fault), reason: BlockReason })
  })
  return (
    <Dialog open onClose={onClose} title={props.title} description={props.description}>
      <Form
        name={name}
        shape={shape}
        onSubmit={async (typed) => {
          await act(typed.choice, typed.reason)
          onClose()
        }}
      >
        <SelectField
          name="choice"
          label={choice.label}
          required
          placeholder="Choose"
          options={choice.options}
        />
        <TextAreaField name="reason" label="Reason" required rows={3} hint={hint} />
        <div className="flex flex-wrap justify-end gap-2">
          <CancelButton onClick={onClose} />
          <SubmitButton waiting="Saving..." unless={unless}>
            {does}
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  )
}

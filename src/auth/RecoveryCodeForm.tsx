import { z } from 'zod'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { besideField, sentenceFor } from './factor-calls.ts'
import { auth } from './session.ts'

const Code = z.object({ recovery_code: z.string().trim().min(1, 'Enter one of your codes') })

/** One of the ten codes stands in for a phone that is lost. */
export function RecoveryCodeForm({ onDone }: { onDone: () => unknown }) {
  const use = async ({ recovery_code }: z.infer<typeof Code>) => {
    const { error } = await auth.mfa.recoveryCodes.verify({ code: recovery_code })
    if (error?.code === 'mfa_verification_failed') {
      throw besideField(
        'recovery_code',
        'This is not one of your codes, or it has already been used',
      )
    }
    if (error) throw besideField('recovery_code', sentenceFor(error, 'Please try again'))
    await onDone()
  }
  return (
    <Form name="recovery-code" shape={Code} onSubmit={use}>
      <TextField
        name="recovery_code"
        label="Recovery code"
        hint="Each works once. Make new ones in Settings when few are left."
        autoComplete="off"
        placeholder="xxxx-xxxx-xxxx-xxxx"
        className="font-mono"
        required
      />
      <SubmitButton waiting="Checking..." wide large>
        Continue
      </SubmitButton>
    </Form>
  )
}

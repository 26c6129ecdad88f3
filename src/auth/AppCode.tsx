import type { AuthError } from '@supabase/auth-js'
import { z } from 'zod'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { besideField, sentenceFor } from './factor-calls.ts'
import { auth } from './session.ts'

const Code = z.object({
  code: z
    .string()
    .transform((typed) => typed.replace(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, 'Enter the six digits')),
})

type Props = {
  /** People with several apps need not say which one the code is from. */
  factor_ids: string[]
  onDone: () => unknown
}

export function AppCode({ factor_ids, onDone }: Props) {
  const verify = async ({ code }: z.infer<typeof Code>) => {
    let refusal: AuthError | null = null
    for (const factorId of factor_ids) {
      refusal = (await auth.mfa.challengeAndVerify({ factorId, code })).error
      if (refusal?.code !== 'mfa_verification_failed') break
    }
    if (refusal) throw besideField('code', sentenceFor(refusal, 'Please try again'))
    await onDone()
  }
  return (
    <Form name="two-step" shape={Code} onSubmit={verify}>
      <TextField
        name="code"
        label="Code from your authenticator app"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={9}
        placeholder="000000"
        className="figures tracking-[0.3em]"
        required
      />
      <SubmitButton waiting="Checking..." wide large>
        Continue
      </SubmitButton>
    </Form>
  )
}

import { isAuthRetryableFetchError } from '@supabase/auth-js'
import { z } from 'zod'
import { Problem, problems } from '#problems.ts'
import { Failure } from '#ui/failure.ts'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { TextField } from '#ui/TextField.tsx'
import { auth } from './session.ts'

const Code = z.object({
  code: z
    .string()
    .transform((typed) => typed.replace(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, 'Enter the six digits')),
})

export type StepProps = { factor_id: string; onDone: () => unknown }

export function AppCode({ factor_id, onDone }: StepProps) {
  const verify = async ({ code }: z.infer<typeof Code>) => {
    const { error } = await auth.mfa.challengeAndVerify({ factorId: factor_id, code })
    if (error && !isAuthRetryableFetchError(error)) {
      throw new Problem('invalid_input', { fields: { code: [error.message] } })
    }
    if (error) throw new Failure(problems.unavailable[1])
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

// The form of an act that an open screen alone must not do, so it first proves who is there: by the password once more, or by the
// sign-in at the company's provider if that was minutes ago.
import { createContext, use, useState, type ComponentProps } from 'react'
import { useFormContext, useWatch, type FieldValues } from 'react-hook-form'
import { z } from 'zod'
import { confirmPassword } from '#api/api.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Problem } from '#problems.ts'
import { Failure, showFailure } from '#ui/failure.ts'
import { Form } from '#ui/Form.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { hasNoPassword, useAuth } from './context.ts'
import { isPasswordNeeded } from './factor-calls.ts'
import { confirmThere } from './provider-confirmation.ts'

const again = 'Please confirm first that it is you'
const either = { password: ['Enter your password, or confirm with your provider'] }

type IsProven = (values: FieldValues) => boolean
const always: IsProven = () => true
const never: IsProven = () => false
const WaysContext = createContext({ proves: never, has_none: false, by_provider: false })

type Props<Shape extends z.ZodObject> = ComponentProps<typeof Form<Shape>> & {
  /** Which inputs need the proof; without it, all. */
  proves?: IsProven
}

/** Children place `<OwnPassword />` where the field belongs. */
export function ProvenForm<Shape extends z.ZodObject>(props: Props<Shape>) {
  const { shape, onSubmit, proves = always, children, ...form } = props
  const { user, me } = useAuth()
  const has_none = hasNoPassword(user)
  const by_provider = has_none || me?.by_provider === true
  return (
    <Form
      {...form}
      shape={withPassword(shape, by_provider ? never : proves)}
      onSubmit={async ({ password, ...values }, fields) => {
        if (typeof password === 'string' && proves(values)) await confirmPassword(password)
        try {
          await onSubmit(values as z.output<Shape>, fields)
        } catch (error) {
          if (!by_provider || !isPasswordNeeded(error)) throw error
          throw has_none ? new Failure(again) : new Problem('invalid_input', { fields: either })
        }
      }}
    >
      <WaysContext value={{ proves, has_none, by_provider }}>{children}</WaysContext>
    </Form>
  )
}

function ByProvider() {
  const { user, me } = useAuth()
  const company_id = me?.company?.id
  const [leaving, setLeaving] = useState(false)
  const form = useFormContext()
  const leave = async (id: string) => {
    setLeaving(true)
    await confirmThere(id, () => form.clearErrors()).catch(showFailure)
    setLeaving(false)
  }
  return (
    <Callout
      title="Confirm that it is you"
      action={
        company_id && (
          <Button size="small" loading={leaving} onClick={() => void leave(company_id)}>
            Confirm with your provider
          </Button>
        )
      }
    >
      Your company’s provider signs you in: this works for 5 minutes after that. It opens in a new
      tab. If it can’t confirm you,{' '}
      {hasNoPassword(user) ? 'set a password in Settings.' : 'enter your password.'}
    </Callout>
  )
}

/** A missing password is shown together with the other faults, not after they are fixed. */
function withPassword<Shape extends z.ZodObject>(shape: Shape, by_password: IsProven): Shape {
  const asking: z.ZodObject = shape
    .safeExtend({ password: z.string().optional() })
    .refine((values) => Boolean(values['password']) || !by_password(values), {
      path: ['password'],
      error: 'Enter your password',
      when: () => true,
    })
  return asking as Shape
}

export function OwnPassword() {
  const { proves, has_none, by_provider } = use(WaysContext)
  const values = useWatch()
  if (!proves(values)) return null
  return (
    <>
      {by_provider && <ByProvider />}
      {!has_none && (
        <PasswordField
          name="password"
          label="Your password"
          autoComplete="current-password"
          required={!by_provider}
        />
      )}
    </>
  )
}

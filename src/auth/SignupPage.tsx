import { Link, useNavigate, type NavigateFunction } from 'react-router'
import { z } from 'zod'
import { SignUpNames } from '#lib/one-line.ts'
import { paths } from '#paths.ts'
import { Failure } from '#ui/failure.ts'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextField } from '#ui/TextField.tsx'
import { timeZoneHere } from '#ui/time-zones.ts'
import { toast } from '#ui/toast.ts'
import { Role } from '#users/users.contract.ts'
import { AuthFrame, textLink } from './AuthFrame.tsx'
import { messageOf, throwIfWeak } from './failure.ts'
import { TypedPassword } from './new-password.ts'
import { useArrival } from './return-to.ts'
import { auth } from './session.ts'
import { sign_up_roles } from './sign-up-roles.ts'
import { Terms } from './Terms.tsx'

const MISSING = 'Please fill in all required fields'

const SignUpForm = SignUpNames.extend({
  email: z
    .string()
    .trim()
    .min(1, 'Work email is required')
    .max(255, 'At most 255 characters')
    .pipe(z.email('Invalid email address')),
  role: z.enum(Role.options, 'Your role is required'),
  password: TypedPassword,
})

export function SignupPage() {
  const navigate = useNavigate()
  const arrival = useArrival()
  return (
    <AuthFrame
      title="Create Account"
      description="Set up your company’s health fund, or join the one you belong to."
      footer={
        <>
          Already have an account?{' '}
          <Link to={paths.login} state={arrival} className={textLink}>
            Sign in
          </Link>
        </>
      }
    >
      <Form
        name="sign-up"
        shape={SignUpForm}
        onSubmit={(values) => signUp(values, navigate, arrival.from)}
        onInvalid={(faults) => {
          const required = [
            faults['full_name'],
            faults['email'],
            faults['password'],
            faults['role'],
          ]
          return required.some((message) => message?.endsWith('is required')) ? MISSING : undefined
        }}
      >
        <TextField name="company_name" label="Company Name" autoComplete="organization" required />
        <TextField name="full_name" label="Full Name" autoComplete="name" required />
        <TextField name="email" label="Work Email" type="email" autoComplete="email" required />
        <SelectField
          name="role"
          label="Your Role"
          options={sign_up_roles}
          placeholder="Select your role"
          required
        />
        <PasswordField
          name="password"
          label="Password"
          autoComplete="new-password"
          strength
          required
        />
        <SubmitButton waiting="Creating account..." wide large>
          Create Account
        </SubmitButton>
        <Terms act="creating an account" />
      </Form>
    </AuthFrame>
  )
}

async function signUp(
  { email, password, full_name, role, company_name }: z.infer<typeof SignUpForm>,
  navigate: NavigateFunction,
  from: string | undefined,
) {
  const { error } = await auth.signUp({
    email,
    password,
    options: {
      emailRedirectTo: `${window.location.origin}/`,
      data: { full_name, role, company_name: company_name ?? '', time_zone: timeZoneHere() },
    },
  })
  throwIfWeak(error)
  if (error) throw new Failure(messageOf(error, 'An error occurred during signup'))
  toast('Account created successfully! You can now sign in.')
  const notice = `We sent a link to ${email}. Open it to confirm your address before you start.`
  await navigate(paths.login, { state: { from, notice, email } })
}

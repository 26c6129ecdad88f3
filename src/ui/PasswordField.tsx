import { clsx } from 'clsx'
import { Eye, EyeOff } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { password_length } from '#lib/password-length.ts'
import { FieldFrame, inputStyles, useField, type FieldProps } from './Field.tsx'

const eyeStyles = clsx(
  'absolute inset-y-1 right-1 grid w-9 place-items-center rounded-md text-faint',
  'hover:text-ink',
)

type Props = FieldProps & {
  autoComplete: 'current-password' | 'new-password'
  aside?: ReactNode
  /** Says how hard it is to guess while it is typed. The server has the last word. */
  strength?: boolean
}

export function PasswordField({ strength, aside, autoComplete, ...props }: Props) {
  const [shown, setShown] = useState(false)
  const hint = strength ? <Strength name={props.name} /> : props.hint
  const field = useField({ ...props, hint })
  const Icon = shown ? EyeOff : Eye
  return (
    <FieldFrame id={field.id} label={props.label} hint={hint} fault={field.fault} aside={aside}>
      <div className="relative">
        <input
          {...field.register()}
          {...field.control}
          type={shown ? 'text' : 'password'}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          className={clsx(inputStyles, 'pr-11')}
        />
        <button
          type="button"
          aria-label={shown ? 'Hide password' : 'Show password'}
          aria-pressed={shown}
          aria-controls={field.id}
          onClick={() => setShown(!shown)}
          className={eyeStyles}
        >
          <Icon className="size-4" aria-hidden />
        </button>
      </div>
    </FieldFrame>
  )
}

const { least } = password_length
const steps = ['', 'Easy to guess', 'Could be stronger', 'Good', 'Strong'] as const
const colours = ['', 'bg-bad', 'bg-accent', 'bg-good', 'bg-good'] as const

function Strength({ name }: { name: string }) {
  const typed: unknown = useWatch({ name })
  const password = typeof typed === 'string' ? typed : ''
  const level = strengthOf(password)
  return (
    <span className="flex items-center justify-between gap-3">
      <span aria-live="polite">
        {password.length < least ? `At least ${least} characters` : steps[level]}
      </span>
      <span className="flex gap-1" aria-hidden="true">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={clsx(
              'h-1 w-7 rounded-full transition-colors',
              step <= level ? colours[level] : 'bg-pressed',
            )}
          />
        ))}
      </span>
    </span>
  )
}

const common = /passw|qwert|letmein|welcome|iloveyou|admin|abc|1234|4321|asdf|health|fund/i

/** A rough 0 to 4: how many characters are neither repeated nor stepped nor well known. */
function strengthOf(password: string): number {
  if (password.length === 0) return 0
  if (password.length < least) return 1
  const letters = Array.from(password.replace(common, ''))
  const fresh = letters.filter((letter, at) => {
    const step = letter.charCodeAt(0) - (letters[at - 1]?.charCodeAt(0) ?? -9)
    return Math.abs(step) > 1
  })
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^a-zA-Z\d]/].filter((kind) => kind.test(password)).length
  const score = new Set(fresh).size + kinds * 1.5 - (common.test(password) ? 2 : 0)
  if (score < 7) return 1
  if (score < 10.5) return 2
  return score < 14 ? 3 : 4
}

import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { paths } from '#paths.ts'
import { deadLink, link_seconds } from '#shared/link-life.ts'
import { ButtonLink } from '#ui/Button.tsx'
import { Waiting } from '#ui/Spinner.tsx'
import { AuthFrame, textLink } from './AuthFrame.tsx'
import { useAuth } from './context.ts'
import { SetPasswordForm } from './SetPasswordForm.tsx'

export function ResetPasswordPage() {
  const { status, user, recovering } = useAuth()
  const [search] = useSearchParams()
  const [used_up, setUsedUp] = useState(false)
  const token_hash = search.get('token')
  if (!token_hash && status === 'loading' && !user) return <Waiting />
  if (used_up || (!token_hash && !recovering)) return <LinkNeeded />
  return (
    <AuthFrame
      title="Reset password"
      description="Choose a new password. All other sessions of your account end."
      footer={
        <Link to={paths.login} className={textLink}>
          Back to sign in
        </Link>
      }
    >
      <SetPasswordForm
        link={token_hash ? { token_hash, type: 'recovery' } : undefined}
        label="New password"
        button="Set new password"
        done="New password set"
        onUsedUp={() => setUsedUp(true)}
      />
    </AuthFrame>
  )
}

const LinkNeeded = () => (
  <AuthFrame title="This link no longer works" description={deadLink(link_seconds)}>
    <ButtonLink to={paths.forgot_password} variant="primary" size="large" wide>
      Get a new link
    </ButtonLink>
  </AuthFrame>
)

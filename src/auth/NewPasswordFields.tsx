import { PasswordField } from '#ui/PasswordField.tsx'

/** For a form whose shape is a `NewPassword`, or more. */
export const NewPasswordFields = ({ label = 'New password' }: { label?: string }) => (
  <>
    <PasswordField name="password" label={label} autoComplete="new-password" strength required />
    <PasswordField
      name="password_again"
      label="Confirm password"
      autoComplete="new-password"
      required
    />
  </>
)

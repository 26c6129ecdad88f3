import { PasswordField } from '#ui/PasswordField.tsx'

/** The fields of a form whose shape includes `NewPassword`. */
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

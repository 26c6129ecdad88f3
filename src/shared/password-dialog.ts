// The dialog that asks for the password once more, for acts of several features.
export { PasswordDialog } from '#auth/PasswordDialog.tsx'

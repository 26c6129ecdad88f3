import { clsx } from 'clsx'

type Props = { email: string; className?: string }

/** An email address, which breaks before its @ first. */
export const Address = ({ email, className }: Props) => (
  <span className={clsx('wrap-anywhere', className)} title={email}>
    {email.replace(/@.*/, '')}
    <wbr />
    {email.replace(/^[^@]*/, '')}
  </span>
)

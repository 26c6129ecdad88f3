import { Link } from 'react-router'
import { paths } from '#paths.ts'

const link = 'underline underline-offset-2 hover:text-ink'

export const Terms = ({ act }: { act: string }) => (
  <p className="text-ui text-faint">
    By {act}, you agree to our{' '}
    <Link to={paths.terms} className={link}>
      Terms of Service
    </Link>{' '}
    and{' '}
    <Link to={paths.privacy} className={link}>
      Privacy Policy
    </Link>
    .
  </p>
)

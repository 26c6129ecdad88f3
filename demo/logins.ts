// Logins of the demo world.

export const password = 'quiet-harbour-42'
export const provider = { full_name: 'Priya Raman', email: 'priya@healthfund.example' }
export const employee = { full_name: 'Jonas Keller', email: 'jonas@aurora.example' }
export const admin = { full_name: 'Helena Brandt', email: 'helena@aurora.example' }

export const logins = [
  {
    role: 'super_admin',
    ...provider,
    password,
    sees: 'Runs the platform: twelve companies, their people and money, reports, the health of the system.',
  },
  {
    role: 'company_admin',
    ...admin,
    password,
    sees: 'HR of Aurora Robotics: 300 people, their fund, and the claims that wait for a decision.',
  },
  {
    role: 'employee',
    ...employee,
    password,
    sees: 'An engineer at Aurora with a family: balances, claims, dependents, health checks.',
  },
]

// The requests for erasure that wait, for the lists of people and of users.
export { ErasuresWaiting } from '#privacy/ErasuresWaiting.tsx'

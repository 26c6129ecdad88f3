// Addresses of the product's pictures once they are built. (Each is written out: the build looks for just that.)

export const pictures = {
  claims: {
    light: new URL('./pictures/claims-light.avif', import.meta.url).href,
    dark: new URL('./pictures/claims-dark.avif', import.meta.url).href,
  },
  employee: {
    light: new URL('./pictures/employee-light.avif', import.meta.url).href,
    dark: new URL('./pictures/employee-dark.avif', import.meta.url).href,
  },
  funds: {
    light: new URL('./pictures/funds-light.avif', import.meta.url).href,
    dark: new URL('./pictures/funds-dark.avif', import.meta.url).href,
  },
  provider: {
    light: new URL('./pictures/provider-light.avif', import.meta.url).href,
    dark: new URL('./pictures/provider-dark.avif', import.meta.url).href,
  },
}

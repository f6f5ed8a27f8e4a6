export { SignInLinksService } from './links/sign-in-links.service.js';
export { SIGN_IN_PATHS } from './paths.js';
export { SignInModule } from './sign-in.module.js';

/** Mistakes that types do not show. Prettier has the formatting. */

import {defineConfig, globalIgnores} from 'eslint/config';
import {configs} from 'typescript-eslint';

export default defineConfig(
  globalIgnores(['build', 'dist', 'tests/golden']),
  {
    files: ['**/*.js', '**/*.mjs'],
    extends: [configs.base],
    languageOptions: {
      parserOptions: {
        project: ['web/engine', 'web/page', 'scripts', 'tests'].map((world) => `${world}/tsconfig.json`),
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: {reportUnusedDisableDirectives: 'error'},
    rules: {
      eqeqeq: 'error',
      'no-shadow': 'error',
      'prefer-const': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-unused-vars': 'error',
      '@typescript-eslint/no-unnecessary-condition': 'error',
    },
  },
);

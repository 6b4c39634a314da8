/** Run before every test file: properties draw from the one seed. fast-check prints it where a property fails. */
import fc from "fast-check";
import { SEED } from "./seed.js";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });

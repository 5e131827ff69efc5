package deadworkerretain_test

import _ "pgregory.net/rapid"

#error "not this header"

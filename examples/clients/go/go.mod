module patchbay.example/clients

go 1.19
